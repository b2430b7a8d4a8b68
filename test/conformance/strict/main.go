// Reads every answer of the marketplace with types that take no float for an integer and no unknown
// field. Usage: strict URL KEY. Prints a line per answer that does not fit and "N passed, N failed".
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

type sale struct {
	Timestamp  int64    `json:"timestamp"`
	Quantity   int64    `json:"quantity"`
	Price      float64  `json:"price"`
	Zone       string   `json:"zone"`
	Section    string   `json:"section"`
	Row        string   `json:"row"`
	ListingID  int64    `json:"listing_id"`
	Source     string   `json:"source"`
	AllInPrice *float64 `json:"all_in_price"`
}

type legacySale struct {
	Timestamp int64   `json:"timestamp"`
	Quantity  int64   `json:"quantity"`
	Price     float64 `json:"price"`
	Zone      string  `json:"zone"`
	Section   string  `json:"section"`
	Row       string  `json:"row"`
}

type source struct {
	Source  string  `json:"source"`
	Since   *string `json:"collecting_since"`
	Tracked bool    `json:"tracked_for_event"`
	Status  string  `json:"status"`
}

type seats struct {
	ListingID     int64   `json:"listing_id"`
	Zone          string  `json:"zone"`
	Section       string  `json:"section"`
	Row           string  `json:"row"`
	QuantityStart int64   `json:"quantity_start"`
	Quantity      int64   `json:"quantity"`
	Price         float64 `json:"price"`
}

type listing struct {
	seats
	Active    bool      `json:"active"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

type legacyListing struct {
	seats
	Active int64 `json:"active"`
}

type page struct {
	EventID    int64   `json:"event_id"`
	HasMore    bool    `json:"has_more"`
	NextCursor *string `json:"next_cursor"`
	TotalCount int64   `json:"total_count"`
}

type salesPage struct {
	page
	Data    []sale   `json:"data"`
	Sources []source `json:"sources"`
}

type listingsPage struct {
	page
	ServiceEventID  int64      `json:"service_event_id"`
	ShEventID       int64      `json:"sh_event_id"`
	VsEventID       *int64     `json:"vs_event_id"`
	Data            []listing  `json:"data"`
	HasRefreshed    bool       `json:"has_refreshed"`
	LastRefreshedAt *time.Time `json:"last_refreshed_at"`
}

type prices struct {
	Avg      float64 `json:"avg_price"`
	Median   float64 `json:"median_price"`
	GetIn    float64 `json:"get_in"`
	GetInTwo float64 `json:"get_in_qty2plus"`
}

type zone struct {
	prices
	Name string `json:"zone_name"`
}

type snapshot struct {
	prices
	Timestamp time.Time `json:"timestamp"`
	All       int64     `json:"total_listings_all"`
	Active    int64     `json:"total_listings_active"`
	FillRate  float64   `json:"listing_fill_rate"`
	Zones     []zone    `json:"zones"`
}

type statsPage struct {
	page
	AvailableZones []string   `json:"available_zones"`
	Data           []snapshot `json:"data"`
}

type legacyListings struct {
	HasRefreshed int64           `json:"has_refreshed"`
	Last         *int64          `json:"last_refresh_timestamp"`
	Listings     []legacyListing `json:"listings"`
}

type usage struct {
	Start      time.Time        `json:"period_start"`
	End        time.Time        `json:"period_end"`
	Totals     map[string]int64 `json:"totals"`
	ByEndpoint []struct {
		Endpoint string `json:"endpoint"`
		Count    int64  `json:"count"`
	} `json:"by_endpoint"`
}

type batch struct {
	Results map[string][]sale   `json:"results"`
	Errors  map[string]string   `json:"errors"`
	Sources map[string][]source `json:"sources"`
}

type legacyBatch struct {
	Results map[string][]legacySale `json:"results"`
	Errors  map[string]string       `json:"errors"`
}

func read(path, body string, into any) error {
	method, reader := "GET", io.Reader(nil)
	if body != "" {
		method, reader = "POST", bytes.NewBufferString(body)
	}
	request, err := http.NewRequest(method, os.Args[1]+path, reader)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+os.Args[2])
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != 200 {
		return fmt.Errorf("status %d", answer.StatusCode)
	}
	decoder := json.NewDecoder(answer.Body)
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

func main() {
	passed, failed := 0, 0
	check := func(path, body string, into any) {
		if err := read(path, body, into); err != nil {
			failed++
			fmt.Printf("failed: go %s: %v\n", path, err)
			return
		}
		passed++
	}
	check("/v1/events/1/listings", "", &listingsPage{})
	check("/v1/events/1/sales", "", &salesPage{})
	check("/v1/events/1/stats", "", &statsPage{})
	check("/v1/usage", "", &usage{})
	for _, version := range []string{"v0.1", "v0.2", "v0.3"} {
		check("/"+version+"/salesdata/get?event_id=1", "", &[]legacySale{})
	}
	for _, version := range []string{"v0.1", "v0.1.1"} {
		check("/"+version+"/listings/get?event_id=1", "", &legacyListings{})
	}
	check("/v1/events/sales/batch", `{"event_ids":[1]}`, &batch{})
	check("/v0.3/salesdata/batch", `{"event_ids":[1]}`, &legacyBatch{})
	fmt.Printf("go: %d passed, %d failed\n", passed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}
