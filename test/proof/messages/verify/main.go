// Verifies signed webhooks with the standardwebhooks package: prints why each one is refused.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type webhook struct {
	Secret  string            `json:"secret"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

func main() {
	if err := verify(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func verify(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	webhooks := map[string]webhook{}
	if err := json.Unmarshal(text, &webhooks); err != nil {
		return err
	}
	faults := map[string][]string{}
	for name, given := range webhooks {
		faults[name] = faultsOf(given)
	}
	return json.NewEncoder(os.Stdout).Encode(faults)
}

func faultsOf(given webhook) []string {
	verifier, err := standardwebhooks.NewWebhook(given.Secret)
	if err != nil {
		return []string{err.Error()}
	}
	headers := http.Header{}
	for name, value := range given.Headers {
		headers.Set(name, value)
	}
	if err := verifier.Verify([]byte(given.Body), headers); err != nil {
		return []string{err.Error()}
	}
	return []string{}
}
