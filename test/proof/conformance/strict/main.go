// Reads every answer of the marketplace with types that take no float for an integer and no unknown
// field. Usage: strict URL KEY. Prints a line per answer that does not fit and "N passed, N failed".
package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
)

func decode(from io.Reader, into any) error {
	decoder := json.NewDecoder(from)
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

func ask(path, body string) (io.ReadCloser, error) {
	method, reader := "GET", io.Reader(nil)
	if body != "" {
		method, reader = "POST", bytes.NewBufferString(body)
	}
	request, err := http.NewRequest(method, os.Args[1]+path, reader)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Args[2])
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode >= 300 {
		answer.Body.Close()
		return nil, fmt.Errorf("status %d", answer.StatusCode)
	}
	return answer.Body, nil
}

func read(path, body string, into any) error {
	text, err := ask(path, body)
	if err != nil {
		return err
	}
	defer text.Close()
	return decode(text, into)
}

// readCsv wants 21 columns and integers in the columns of integer fields.
func readCsv(path string) error {
	text, err := ask(path, "")
	if err != nil {
		return err
	}
	defer text.Close()
	rows, err := csv.NewReader(text).ReadAll()
	if err != nil {
		return err
	}
	if len(rows) < 2 || len(rows[0]) != 21 {
		return fmt.Errorf("%d rows of %d columns", len(rows), len(rows[0]))
	}
	for column, name := range rows[0] {
		switch name {
		case "event_id", "days_on_service", "std_event_id", "std_venue_id":
			for _, row := range rows[1:] {
				if _, err := strconv.ParseInt(row[column], 10, 64); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
		}
	}
	return nil
}

func readMarketplaces(path string, shRows, vsRows int) error {
	into := salesPage{}
	if err := read(path, "", &into); err != nil {
		return err
	}
	sh, vs := 0, 0
	for _, row := range into.Data {
		if row.sh != nil {
			sh++
		}
		if row.vs != nil {
			vs++
		}
	}
	if sh != shRows || vs != vsRows {
		return fmt.Errorf("%d sh rows and %d vs rows", sh, vs)
	}
	return nil
}

func main() {
	passed, failed := 0, 0
	note := func(path string, err error) {
		if err == nil {
			passed++
			return
		}
		failed++
		fmt.Printf("failed: go %s: %v\n", path, err)
	}
	check := func(path, body string, into any) { note(path, read(path, body, into)) }
	check("/v1/account", "", &account{})
	check("/v1/usage", "", &usage{})
	check("/v1/events/search", "", &searchPage{})
	check("/v0.3.1/events/search", `{"event_name":"knicks"}`, &legacySearch{})
	check("/v1/events/1/listings", "", &listingsPage{})
	check("/v1/events/1/stats", "", &statsPage{})
	note("/v1/events/1/sales", readMarketplaces("/v1/events/1/sales", 10, 0))
	note("vs sales", readMarketplaces("/v1/events/1/sales?source=vs", 0, 3))
	note("all sales", readMarketplaces("/v1/events/1/sales?source=all", 10, 3))
	for _, version := range []string{"v0.1", "v0.2", "v0.3"} {
		check("/"+version+"/salesdata/get?event_id=1", "", &[]legacySale{})
	}
	for _, version := range []string{"v0.1", "v0.1.1"} {
		check("/"+version+"/listings/get?event_id=1", "", &legacyListings{})
	}
	check("/v1/events/sales/batch?source=all", `{"event_ids":[1]}`, &batch{})
	check("/v0.3/salesdata/batch", `{"event_ids":[1]}`, &legacyBatch{})
	started := submitted{}
	check("/v0.4/events/event-request-add", `{"search_query":"knicks"}`, &started)
	check("/v0.4/events/event-request-status/"+started.JobID+"/", "", &job{})
	note("/v0.5/daily-csv/download", readCsv("/v0.5/daily-csv/download"))
	fmt.Printf("go: %d passed, %d failed\n", passed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}
