import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Takes webhooks. Java 17 or later. It responds with
 *
 * <ul>
 *   <li>200: the webhook is done, now or when it came before.
 *   <li>401: it is not signed, its signature is wrong, or it is too old.
 *   <li>404: it could not be done for now. The service sends a webhook again after a 404 or a network error,
 *       and never after another 4xx or a 5xx: a 500 would lose it.
 * </ul>
 */
public final class WebhookReceiver {
    /** An older webhook is rejected, so that nobody can send a recorded one again. */
    private static final long TOLERANCE_SECONDS = 300;

    private static final int MAX_BODY_BYTES = 16 * 1024 * 1024;

    /** How many request ids are remembered. */
    private static final int MOST_DONE = 10_000;

    private static final Pattern SIGNATURE = Pattern.compile("v1,([0-9a-f]{64})");
    private static final Pattern TIMESTAMP = Pattern.compile("[1-9][0-9]{0,12}");

    private final Set<String> running = new HashSet<>();
    private final Set<String> done = new LinkedHashSet<>();

    /** What is to be done with a delivery. Where it throws, the service sends the delivery again. */
    private static void handleDelivery(String body) throws Exception {
        System.out.println("Delivery " + body);
    }

    /** The status to respond with. */
    private int receive(UnaryOperator<String> header, byte[] rawBody, String secret)
            throws GeneralSecurityException {
        if (rawBody.length > MAX_BODY_BYTES) {
            return 413;
        }
        if (!verifyWebhook(header, rawBody, secret, Instant.now())) {
            return 401;
        }
        try {
            String body = new String(rawBody, StandardCharsets.UTF_8);
            once(header.apply("X-Request-Id"), () -> handleDelivery(body));
            return 200;
        } catch (Exception error) {
            error.printStackTrace();
            return 404;
        }
    }

    /**
     * Whether a webhook is genuine and unaltered.
     *
     * @param header gives a header by its name, or null
     * @param rawBody the bytes as received, before any parser
     */
    public static boolean verifyWebhook(
            UnaryOperator<String> header, byte[] rawBody, String secret, Instant now)
            throws GeneralSecurityException {
        String requestId = header.apply("X-Request-Id");
        String timestamp = header.apply("X-Service-Webhook-Timestamp");
        String value = header.apply("X-Service-Webhook-Signature");
        if (requestId == null || requestId.isEmpty() || timestamp == null || value == null) {
            return false;
        }
        Matcher signature = SIGNATURE.matcher(value);
        if (!signature.matches() || !TIMESTAMP.matcher(timestamp).matches()) {
            return false;
        }
        if (Math.abs(now.getEpochSecond() - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) {
            return false;
        }
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update((requestId + "." + timestamp + ".").getBytes(StandardCharsets.ISO_8859_1));
        byte[] expected = mac.doFinal(rawBody);
        return MessageDigest.isEqual(expected, HexFormat.of().parseHex(signature.group(1)));
    }

    /** Whether something has read the body before. That is no 401, after which the service would not send it again. */
    private static boolean wasRead(UnaryOperator<String> header, byte[] rawBody) {
        String length = header.apply("Content-Length");
        boolean hasBody = header.apply("Transfer-Encoding") != null || length != null && !length.equals("0");
        if (rawBody.length > 0 || !hasBody) {
            return false;
        }
        System.err.println("Something has read the body before: verify webhooks above what reads bodies.");
        return true;
    }

    private interface Work {
        void run() throws Exception;
    }

    /**
     * Does the work for a request id once, as the service may send a webhook again that was done already. A
     * repeat waits for the one before it, and does the work where that one failed. This is the memory of one
     * process: where it restarts or there are several, keep the ids in a database, in the work's transaction.
     */
    private void once(String requestId, Work work) throws Exception {
        synchronized (running) {
            while (running.contains(requestId)) {
                running.wait();
            }
            if (done.contains(requestId)) {
                return;
            }
            running.add(requestId);
        }
        boolean isDone = false;
        try {
            work.run();
            isDone = true;
        } finally {
            synchronized (running) {
                running.remove(requestId);
                if (isDone) {
                    remember(requestId);
                }
                running.notifyAll();
            }
        }
    }

    private void remember(String requestId) {
        done.add(requestId);
        if (done.size() > MOST_DONE) {
            done.remove(done.iterator().next());
        }
    }

    public static void main(String[] args) throws IOException {
        String secret = System.getenv().getOrDefault("WEBHOOK_SECRET", "");
        if (secret.isEmpty()) {
            throw new IllegalStateException(
                    "Set WEBHOOK_SECRET to the secret that the caller sends as X-Webhook-Secret.");
        }
        WebhookReceiver receiver = new WebhookReceiver();
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/webhook", exchange -> receiver.take(exchange, secret));
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
        System.out.println("Listening on " + server.getAddress());
    }

    private void take(HttpExchange exchange, String secret) throws IOException {
        try (exchange) {
            byte[] rawBody = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
            // The rest of one that is too large, so that the sender sees the response.
            exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
            UnaryOperator<String> header = exchange.getRequestHeaders()::getFirst;
            exchange.sendResponseHeaders(wasRead(header, rawBody) ? 404 : receive(header, rawBody, secret), -1);
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }
}
