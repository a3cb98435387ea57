// Runs webhook.go on cases from standard input, in place of its main; see snippetCases.ts for their form.
package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func decode(field string) []byte {
	bytes, err := base64.StdEncoding.DecodeString(field)
	if err != nil {
		panic(err)
	}
	return bytes
}

func init() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		header := http.Header{}
		for index, name := range []string{"X-Request-Id", "X-Service-Webhook-Timestamp", "X-Service-Webhook-Signature"} {
			if field := fields[2+index]; field != "-" {
				header.Set(name, string(decode(field)))
			}
		}
		clock, err := strconv.ParseInt(string(decode(fields[1])), 10, 64)
		if err != nil {
			panic(err)
		}
		fmt.Println(verifyWebhook(header, decode(fields[5]), decode(fields[0]), time.Unix(clock, 0)))
	}
	os.Exit(0)
}
