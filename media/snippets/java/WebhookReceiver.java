import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Takes webhooks and checks that they are genuine. Java 17 or later. */
public final class WebhookReceiver {
    /** An older delivery is refused, so that nobody can send a recorded one again. */
    private static final double TOLERANCE_SECONDS = 300;

    private static final int MAX_BODY_BYTES = 10 * 1024 * 1024;
    private static final Pattern SIGNATURE = Pattern.compile("v1,([0-9a-fA-F]{64})");
    private static final Pattern TIMESTAMP = Pattern.compile("[0-9]+(\\.[0-9]+)?");

    private WebhookReceiver() {}

    /**
     * Whether a webhook is genuine and unaltered.
     *
     * @param header gives a header by its name, or null
     * @param rawBody the bytes as received, before any parser
     */
    public static boolean verify(
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
        if (Math.abs(now.getEpochSecond() - Double.parseDouble(timestamp)) > TOLERANCE_SECONDS) {
            return false;
        }
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update((requestId + "." + timestamp + ".").getBytes(StandardCharsets.ISO_8859_1));
        byte[] expected = mac.doFinal(rawBody);
        return MessageDigest.isEqual(expected, HexFormat.of().parseHex(signature.group(1)));
    }

    public static void main(String[] args) throws IOException {
        // The secret that the caller sends as X-Webhook-Secret.
        String secret = System.getenv("WEBHOOK_SECRET");
        if (secret == null || secret.isEmpty()) {
            throw new IllegalStateException("Set WEBHOOK_SECRET.");
        }
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 3000);
        HttpServer server = HttpServer.create(address, 0);
        server.createContext("/webhook", exchange -> {
            try (exchange) {
                byte[] rawBody = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
                boolean genuine =
                        rawBody.length <= MAX_BODY_BYTES
                                && verify(
                                        exchange.getRequestHeaders()::getFirst,
                                        rawBody,
                                        secret,
                                        Instant.now());
                if (genuine) {
                    // The same delivery may arrive again: what is done here has to bear that.
                    System.out.println(new String(rawBody, StandardCharsets.UTF_8));
                }
                exchange.sendResponseHeaders(genuine ? 200 : 401, -1);
            } catch (GeneralSecurityException error) {
                throw new IllegalStateException(error);
            }
        });
        server.start();
    }
}
