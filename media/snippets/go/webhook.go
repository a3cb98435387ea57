package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// An older delivery is refused, so that nobody can send a recorded one again.
const tolerance = 300 * time.Second

const maxBodyBytes = 10 << 20

// Verify tells whether a webhook is genuine and unaltered.
// rawBody is the bytes as received, before any parser.
func Verify(header http.Header, rawBody []byte, secret string, now time.Time) bool {
	requestID := header.Get("X-Request-Id")
	timestamp := header.Get("X-Service-Webhook-Timestamp")
	value := header.Get("X-Service-Webhook-Signature")
	signature, err := hex.DecodeString(strings.TrimPrefix(value, "v1,"))
	if err != nil || !strings.HasPrefix(value, "v1,") || requestID == "" || secret == "" {
		return false
	}
	sent, err := strconv.ParseFloat(timestamp, 64)
	// Written so that a timestamp that is not a number is refused too.
	if err != nil || !(math.Abs(float64(now.Unix())-sent) <= tolerance.Seconds()) {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(requestID + "." + timestamp + "."))
	mac.Write(rawBody)
	return hmac.Equal(mac.Sum(nil), signature)
}

// Handler takes webhooks: http.HandleFunc("/webhook", webhook.Handler).
func Handler(response http.ResponseWriter, request *http.Request) {
	rawBody, err := io.ReadAll(http.MaxBytesReader(response, request.Body, maxBodyBytes))
	if err != nil {
		http.Error(response, "body too large", http.StatusRequestEntityTooLarge)
		return
	}
	// The secret that the caller sends as X-Webhook-Secret.
	if !Verify(request.Header, rawBody, os.Getenv("WEBHOOK_SECRET"), time.Now()) {
		http.Error(response, "signature is not right", http.StatusUnauthorized)
		return
	}
	var delivery struct {
		RunID string `json:"run_id"`
	}
	if err := json.Unmarshal(rawBody, &delivery); err != nil {
		http.Error(response, "body is not JSON", http.StatusBadRequest)
		return
	}
	// The same delivery may arrive again: what is done here has to bear that.
	log.Printf("Run %s", delivery.RunID)
	response.WriteHeader(http.StatusOK)
}
