// Calls the watchlist API through the Go client that openapi-generator wrote from its document.
// Usage: driver URL KEY. Prints a line per value that differs and "N passed, N failed".
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	w "generated/watchlist"
)

var passed, failed int

func check(what string, got, want any) {
	if fmt.Sprint(got) == fmt.Sprint(want) {
		passed++
		return
	}
	failed++
	fmt.Printf("failed: generated go of watchlist, %s: got %v, want %v\n", what, got, want)
}

// must is the answer of a call that has to succeed.
func must[T any](answer T, _ any, err error) T {
	if err == nil {
		return answer
	}
	var refused *w.GenericOpenAPIError
	if errors.As(err, &refused) {
		fmt.Println(string(refused.Body()))
	}
	panic(err)
}

// problem is what a call was refused with.
func problem(_ any, _ any, err error) w.Problem {
	var refused *w.GenericOpenAPIError
	if errors.As(err, &refused) {
		if of, ok := refused.Model().(w.Problem); ok {
			return of
		}
	}
	return w.Problem{Detail: fmt.Sprint("no problem but ", err)}
}

func price(dollars float64) *w.Price {
	of := w.Float64AsPrice(&dollars)
	return &of
}

func level(dollars float64) w.Rule {
	rule := w.NewLevelRule(w.LEVEL, "get_in")
	rule.AtOrBelow = price(dollars)
	return w.LevelRuleAsRule(rule)
}

func drop() w.Rule {
	from := w.KeptBaselineAsBaseline(w.NewKeptBaseline(w.LAST_ALERT))
	rule := w.NewChangeRule(w.CHANGE, "median_price", from)
	rule.DropsBy = w.NewChangeConditionDropsBy()
	rule.DropsBy.SetPercent(20)
	supply := w.NewSupplyCondition(w.SUPPLY, "total_listings_active")
	supply.SetAtOrBelow(40)
	rule.AllOf = []w.Condition{w.SupplyConditionAsCondition(supply)}
	return w.ChangeRuleAsRule(rule)
}

func others() []w.Rule {
	fill := w.NewFillRateRule(w.FILL_RATE)
	fill.SetAtOrBelow(60)
	change := w.NewAnyChangeRule(w.ANY_CHANGE, "get_in")
	return []w.Rule{drop(), w.FillRateRuleAsRule(fill), w.AnyChangeRuleAsRule(change)}
}

func request(channel string, rules ...w.Rule) w.WatchRequest {
	of := w.NewWatchRequest(rules)
	of.SetEventId(4711)
	of.SetChannels([]string{channel})
	return *of
}

func main() {
	configuration := w.NewConfiguration()
	configuration.Servers = w.ServerConfigurations{{URL: os.Args[1]}}
	api := w.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), w.ContextAccessToken, os.Args[2])

	webhook := w.NewWebhookChannelRequest(w.WEBHOOK, "https://example.com/hook")
	channel := must(api.ChannelsAPI.CreateChannel(ctx).ChannelRequest(w.WebhookChannelRequestAsChannelRequest(webhook)).Execute())
	check("channel host", channel.GetHost(), "example.com")
	check("channel secret", strings.HasPrefix(channel.GetSecret(), "whsec_"), true)
	check("channel version", channel.GetPayloadVersion(), 2)
	watch := checkRules(ctx, api, channel.GetId())
	checkChart(ctx, api)
	checkChanges(ctx, api, watch)
	checkLogs(ctx, api)
	checkRefusals(ctx, api, channel.GetId(), watch.GetId())

	fmt.Printf("generated go of watchlist: %d passed, %d failed\n", passed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}

func checkRules(ctx context.Context, api *w.APIClient, channel string) *w.CreatedWatch {
	asked := request(channel, level(79.55))
	asked.SetTags([]string{"knicks"})
	watch := must(api.WatchesAPI.CreateWatch(ctx).WatchRequest(asked).Execute())
	check("watch event", watch.GetEventId(), 4711)
	check("watch time", watch.GetCreatedAt().Year(), 2026)
	check("level", *watch.Rules[0].Rule.LevelRule.AtOrBelow.Float64, 79.55)
	more := must(api.WatchesAPI.CreateWatch(ctx).WatchRequest(request(channel, others()...)).Execute())
	change := more.Rules[0].Rule.ChangeRule
	check("change", change.DropsBy.GetPercent(), 20)
	check("change from", change.From.KeptBaseline.GetOf(), "last_alert")
	check("condition", change.AllOf[0].SupplyCondition.GetAtOrBelow(), 40)
	check("fill rate", more.Rules[1].Rule.FillRateRule.GetAtOrBelow(), 60)
	check("any change", more.Rules[2].Rule.AnyChangeRule.GetType(), "any_change")
	return watch
}

func checkChart(ctx context.Context, api *w.APIClient) {
	asked := api.EventsAPI.GetEventSeries(ctx, 4711).Metric([]string{"get_in", "median_price"})
	chart := must(asked.Zone([]string{"Lower Bowl", "Nowhere"}).Span("24h").Execute())
	check("chart", len(chart.GetSeries()), 4)
	check("chart times", len(chart.GetTimes()), 1)
	check("chart value", *chart.Series[0].Values[0], 120)
	check("chart gap", chart.Series[1].Values[0] == nil, true)
}

func checkChanges(ctx context.Context, api *w.APIClient, watch *w.CreatedWatch) {
	id := watch.GetId()
	listed := must(api.WatchesAPI.ListWatches(ctx).Include("standing").Tag("knicks").Execute()).GetData()
	check("list", fmt.Sprint(len(listed), listed[0].GetId()), fmt.Sprint(1, id))
	check("standing", listed[0].Standing.GetGetIn(), 100.5)
	check("standing distance", listed[0].Standing.Rules[0].GetDistance(), 20.95)
	_, response, err := api.WatchesAPI.GetWatch(ctx, id).Execute()
	check("watch error", err, nil)
	etag := response.Header.Get("ETag")
	check("etag", strings.Split(etag, ".")[0], `"1`)
	_, response, _ = api.WatchesAPI.GetWatch(ctx, id).IfNoneMatch(etag).Execute()
	check("unchanged", response.StatusCode, 304)
	kept := w.NewRuleInChange(level(75))
	kept.SetId(watch.Rules[0].GetId())
	change := w.WatchChange{Rules: []w.RuleInChange{*kept, *w.NewRuleInChange(drop())}}
	change.SetName("Finals")
	changed := must(api.WatchesAPI.ChangeWatch(ctx, id).IfMatch(etag).WatchChange(change).Execute())
	check("changed", fmt.Sprint(changed.GetName(), changed.GetVersion(), len(changed.Rules)), fmt.Sprint("Finals", 2, 2))
	check("changed rule", changed.Rules[0].GetId(), watch.Rules[0].GetId())
	check("explained", len(must(api.WatchesAPI.ExplainWatch(ctx, id).Execute()).GetRules()), 2)
	preview := must(api.RulesAPI.PreviewRule(ctx).PreviewRequest(*w.NewPreviewRequest(4711, level(79.55))).Execute())
	check("preview", fmt.Sprint(preview.GetCount(), preview.GetSnapshots()), "0 1")
	file := must(api.WatchlistAPI.ExportWatchlist(ctx).Format("json").Execute())
	for _, row := range file.GetWatches() {
		if row.GetId() == id {
			check("export", *row.Rules[0].LevelRule.AtOrBelow.Float64, 75)
		}
	}
	same := must(api.WatchlistAPI.ImportWatchlist(ctx).WatchlistFile(*w.NewWatchlistFile(file.GetWatches())).Execute())
	check("import", fmt.Sprint(same.GetUnchanged(), same.GetCreated(), same.GetRefused()), "2 0 0")
}

func checkLogs(ctx context.Context, api *w.APIClient) {
	alert := must(api.AlertsAPI.ListAlerts(ctx).Execute()).GetData()[0]
	check("alert", fmt.Sprint(alert.GetNow(), alert.GetLevel()), "74 80")
	check("alert unit", alert.GetUnit(), "dollars")
	check("alert time", alert.GetFiredAt().Year(), 2026)
	byId := must(api.AlertsAPI.GetAlert(ctx, alert.GetId()).Execute())
	check("alert by id", byId.GetSentence(), alert.GetSentence())
	delivery := must(api.DeliveriesAPI.ListDeliveries(ctx).Execute()).GetData()[0]
	check("delivery", delivery.GetStatus()+" "+delivery.GetChannelKind(), "failed email")
	check("delivery of the alert", delivery.GetAlertIds()[0], alert.GetId())
	budget := must(api.BudgetAPI.GetBudget(ctx).Execute())
	check("budget", fmt.Sprint(budget.GetPullsLeft(), budget.Settings.GetDeployedDailyCap()), "500 500")
	key := must(api.APIKeysAPI.CreateKey(ctx).KeyRequest(*w.NewKeyRequest("bot", "read")).Execute())
	check("key", strings.HasPrefix(key.GetKey(), "getin_"), true)
	found := false
	for _, each := range must(api.APIKeysAPI.ListKeys(ctx).Execute()).GetData() {
		found = found || each.GetId() == key.GetId() && each.GetScope() == "read"
	}
	check("keys", found, true)
}

func checkRefusals(ctx context.Context, api *w.APIClient, channel, watch string) {
	unknown := problem(api.WatchesAPI.GetWatch(ctx, "wat_"+strings.Repeat("0", 32)).Execute())
	check("unknown watch", fmt.Sprint(unknown.GetStatus(), unknown.GetType()), fmt.Sprint(404, "urn:getin:problem:not-found"))
	refused := problem(api.WatchesAPI.CreateWatch(ctx).WatchRequest(request(channel, level(-1))).Execute())
	check("bad price", refused.GetStatus(), 400)
	check("bad price's place", refused.GetErrors()[0].GetPointer(), "#/rules/0/at_or_below")
	change := w.WatchChange{}
	change.SetName("Old")
	stale := problem(api.WatchesAPI.ChangeWatch(ctx, watch).IfMatch(`"1"`).WatchChange(change).Execute())
	check("stale", fmt.Sprint(stale.GetStatus(), stale.GetType()), fmt.Sprint(412, "urn:getin:problem:stale-version"))
}
