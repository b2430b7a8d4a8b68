// Calls the marketplace through the Go client that openapi-generator wrote from its document.
// Usage: driver URL KEY. Prints a line per value that differs and "N passed, N failed".
package main

import (
	"context"
	"fmt"
	"os"

	market "generated/market"
)

var passed, failed int

func check(what string, got, want any) {
	if fmt.Sprint(got) == fmt.Sprint(want) {
		passed++
		return
	}
	failed++
	fmt.Printf("failed: generated go, %s: got %v, want %v\n", what, got, want)
}

func main() {
	configuration := market.NewConfiguration()
	configuration.Servers = market.ServerConfigurations{{URL: os.Args[1]}}
	configuration.AddDefaultHeader("Authorization", "Bearer "+os.Args[2])
	api := market.NewAPIClient(configuration).DataAPI
	ctx := context.Background()

	account, _, err := api.GetV1Account(ctx).Execute()
	check("account error", err, nil)
	check("account id", account.GetUserId(), 1)
	usage, _, err := api.GetV1Usage(ctx).Execute()
	check("usage error", err, nil)
	check("usage has calls", len(usage.GetByEndpoint()) > 0, true)
	found, _, err := api.GetV1EventsSearch(ctx).EventName("knicks").Execute()
	check("search error", err, nil)
	check("search", found.GetData()[0].GetEventId(), 1)
	stats, _, err := api.GetV1EventsEventIdStats(ctx, 1).Execute()
	check("stats error", err, nil)
	check("stats rows", len(stats.GetData()), 25)
	listings, _, err := api.GetV1EventsEventIdListings(ctx, 1).Execute()
	check("listings error", err, nil)
	check("listings rows", len(listings.GetData()), 13)
	check("listing id", listings.GetData()[0].GetListingId(), 13000000001)
	sales, _, err := api.GetV1EventsEventIdSales(ctx, 1).Source("all").Execute()
	check("sales error", err, nil)
	sh, vs := 0, 0
	for _, row := range sales.GetData() {
		if row.ShSale != nil {
			sh++
		}
		if row.VsSale != nil {
			vs++
		}
	}
	check("sh sales", sh, 10)
	check("vs sales", vs, 3)
	legacy, _, err := api.GetV03SalesdataGet(ctx).EventId(1).Execute()
	check("legacy error", err, nil)
	check("legacy rows", len(legacy), 10)
	_, response, _ := api.GetV1EventsEventIdSales(ctx, 999).Execute()
	check("unknown event", response.StatusCode, 404)

	fmt.Printf("generated go: %d passed, %d failed\n", passed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}
