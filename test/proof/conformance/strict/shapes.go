// The shapes of api.md as types that take no float for an integer.
package main

import (
	"bytes"
	"encoding/json"
	"time"
)

type saleFields struct {
	legacySale
	Source     string   `json:"source"`
	AllInPrice *float64 `json:"all_in_price"`
}

type shSale struct {
	saleFields
	ListingID int64 `json:"listing_id"`
}

type vsSale struct {
	saleFields
	ListingID   string `json:"listing_id"`
	NormZone    string `json:"norm_zone"`
	NormSection string `json:"norm_section"`
}

// sale is a row of either marketplace, told apart by its source.
type sale struct {
	sh *shSale
	vs *vsSale
}

func (row *sale) UnmarshalJSON(text []byte) error {
	var told struct {
		Source string `json:"source"`
	}
	if err := json.Unmarshal(text, &told); err != nil {
		return err
	}
	if told.Source == "vs" {
		row.vs = &vsSale{}
		return decode(bytes.NewReader(text), row.vs)
	}
	row.sh = &shSale{}
	return decode(bytes.NewReader(text), row.sh)
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

type plan struct {
	ID     string    `json:"id"`
	Name   string    `json:"name"`
	Status string    `json:"status"`
	Start  time.Time `json:"billing_period_start"`
	End    time.Time `json:"billing_period_end"`
	Renews time.Time `json:"renews_at"`
}

type rateLimit struct {
	Limit  int64 `json:"limit"`
	Window int64 `json:"window_seconds"`
}

type account struct {
	UserID     int64                `json:"user_id"`
	Email      string               `json:"email"`
	Company    string               `json:"company"`
	Plans      []plan               `json:"plans"`
	RateLimits map[string]rateLimit `json:"rate_limits"`
}

type event struct {
	EventID     int64   `json:"event_id"`
	Name        string  `json:"event_name"`
	Date        string  `json:"event_date"`
	Time        string  `json:"event_time"`
	TmEventID   string  `json:"tm_event_id"`
	Days        int64   `json:"days_on_service"`
	FirstSeen   string  `json:"first_seen_date"`
	VenueName   string  `json:"venue_name"`
	City        string  `json:"venue_city"`
	State       string  `json:"venue_state"`
	CountryCode string  `json:"venue_country_code"`
	Country     string  `json:"venue_country"`
	Lat         float64 `json:"venue_lat"`
	Lng         float64 `json:"venue_lng"`
	Slug        string  `json:"venue_slug"`
	VenueTmID   string  `json:"venue_tm_id"`
	StdEventID  int64   `json:"std_event_id"`
	StdVenueID  int64   `json:"std_venue_id"`
	Performer   string  `json:"performer"`
	Type        string  `json:"event_type"`
	Tour        string  `json:"tour_name"`
}

type searchPage struct {
	Data       []event `json:"data"`
	HasMore    bool    `json:"has_more"`
	NextCursor *string `json:"next_cursor"`
}

type legacySearch []struct {
	Total int64 `json:"result_total"`
	Items []struct {
		EventID int64  `json:"event_id"`
		Name    string `json:"event_name"`
		Date    string `json:"event_date"`
		Venue   string `json:"venue_name"`
		City    string `json:"venue_city"`
		State   string `json:"venue_state"`
	} `json:"items"`
	Errors bool `json:"errors"`
}

type submitted struct {
	JobID   string `json:"job_id"`
	Status  string `json:"status"`
	Message string `json:"message"`
	Active  int64  `json:"active_jobs"`
	Max     int64  `json:"max_simultaneous"`
}

type job struct {
	JobID     string     `json:"job_id"`
	Status    string     `json:"status"`
	Message   string     `json:"message"`
	Created   time.Time  `json:"created_at"`
	Started   *time.Time `json:"started_at"`
	Completed *time.Time `json:"completed_at"`
	Query     string     `json:"search_query"`
	Added     int64      `json:"events_added"`
	Updated   int64      `json:"events_updated"`
	Error     *string    `json:"error"`
	Took      *int64     `json:"response_time_ms"`
	Expired   bool       `json:"expired"`
}
