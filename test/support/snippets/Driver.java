import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/** Runs WebhookReceiver on cases from standard input; see snippetCases.ts for their form. */
public final class Driver {
    public static void main(String[] args) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] fields = line.split("\t", -1);
            Map<String, String> headers = new HashMap<>();
            headers.put("X-Request-Id", text(fields[2]));
            headers.put("X-Service-Webhook-Timestamp", text(fields[3]));
            headers.put("X-Service-Webhook-Signature", text(fields[4]));
            String secret = new String(decode(fields[0]), StandardCharsets.UTF_8);
            Instant now = Instant.ofEpochSecond(Long.parseLong(text(fields[1])));
            System.out.println(WebhookReceiver.verifyWebhook(headers::get, decode(fields[5]), secret, now));
        }
    }

    private static byte[] decode(String field) {
        return field.equals("-") ? null : Base64.getDecoder().decode(field);
    }

    private static String text(String field) {
        byte[] bytes = decode(field);
        return bytes == null ? null : new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
