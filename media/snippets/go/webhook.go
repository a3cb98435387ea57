package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"sync"
	"time"
)

const (
	// An older webhook is rejected, so that nobody can send a recorded one again.
	tolerance    = 300 * time.Second
	maxBodyBytes = 16 << 20
	// How many request ids are remembered.
	mostDone = 10_000
)

// handleDelivery does what is to be done with a delivery: body is the value of its JSON, or its text.
// Where it returns an error, the service sends the delivery again.
func handleDelivery(body any) error {
	log.Println("Delivery", body)
	return nil
}

// receiver takes webhooks, and responds with
//   - 200: it is done, now or when it came before.
//   - 401: it is not signed, its signature is wrong, or it is too old.
//   - 404: it could not be done for now. The service sends a webhook again after a 404 or a network error,
//     and never after another 4xx or a 5xx: a 500 would lose it.
type receiver struct {
	secret  []byte
	mutex   sync.Mutex
	ended   *sync.Cond
	running map[string]bool
	done    map[string]bool
	oldest  []string
}

func newReceiver(secret string) *receiver {
	r := &receiver{secret: []byte(secret), running: map[string]bool{}, done: map[string]bool{}}
	r.ended = sync.NewCond(&r.mutex)
	return r
}

func (r *receiver) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	rawBody, err := io.ReadAll(http.MaxBytesReader(response, request.Body, maxBodyBytes))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		http.Error(response, "body too large", http.StatusRequestEntityTooLarge)
		return
	}
	if err != nil || len(rawBody) == 0 && request.ContentLength != 0 {
		// Not 401, after which the service would not send it again: it may be genuine.
		log.Print("The body cannot be read, or something has read it before: verify webhooks first. ", err)
		http.Error(response, "not readable for now", http.StatusNotFound)
		return
	}
	if !verifyWebhook(request.Header, rawBody, r.secret, time.Now()) {
		http.Error(response, "signature is not right", http.StatusUnauthorized)
		return
	}
	err = r.once(request.Header.Get("X-Request-Id"), func() error {
		return handleDelivery(parseBody(rawBody))
	})
	if err != nil {
		log.Print(err)
		http.Error(response, "not done for now", http.StatusNotFound)
	}
}

var (
	signaturePattern = regexp.MustCompile(`^v1,([0-9a-f]{64})$`)
	timestampPattern = regexp.MustCompile(`^[1-9][0-9]{0,12}$`)
)

// verifyWebhook tells whether a webhook is genuine and unaltered.
// rawBody is the bytes as received, before any parser.
func verifyWebhook(header http.Header, rawBody, secret []byte, now time.Time) bool {
	requestID := header.Get("X-Request-Id")
	timestamp := header.Get("X-Service-Webhook-Timestamp")
	signature := signaturePattern.FindStringSubmatch(header.Get("X-Service-Webhook-Signature"))
	if requestID == "" || signature == nil || !timestampPattern.MatchString(timestamp) {
		return false
	}
	seconds, _ := strconv.ParseInt(timestamp, 10, 64)
	if now.Sub(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(requestID + "." + timestamp + "."))
	mac.Write(rawBody)
	return hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(signature[1]))
}

// parseBody gives the text where the body is no JSON: it would be none the next time either.
func parseBody(rawBody []byte) any {
	var body any
	if json.Unmarshal(rawBody, &body) != nil {
		return string(rawBody)
	}
	return body
}

// once does the work for a request id once, as the service may send a webhook again that was done already. A
// repeat waits for the one before it, and does the work where that one failed. This is the memory of one
// process: where it restarts or there are several, keep the ids in a database, in the work's transaction.
func (r *receiver) once(requestID string, work func() error) error {
	r.mutex.Lock()
	for r.running[requestID] {
		r.ended.Wait()
	}
	if r.done[requestID] {
		r.mutex.Unlock()
		return nil
	}
	r.running[requestID] = true
	r.mutex.Unlock()

	err := errors.New("the work panicked")
	defer func() {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		delete(r.running, requestID)
		if err == nil {
			r.remember(requestID)
		}
		r.ended.Broadcast()
	}()
	err = work()
	return err
}

func (r *receiver) remember(requestID string) {
	r.done[requestID] = true
	r.oldest = append(r.oldest, requestID)
	if len(r.oldest) > mostDone {
		delete(r.done, r.oldest[0])
		r.oldest = r.oldest[1:]
	}
}

func main() {
	secret := os.Getenv("WEBHOOK_SECRET")
	if secret == "" {
		log.Fatal("Set WEBHOOK_SECRET to the secret that the caller sends as X-Webhook-Secret.")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/webhook", newReceiver(secret))
	log.Print("Listening on ", listener.Addr())
	log.Fatal(http.Serve(listener, nil))
}
