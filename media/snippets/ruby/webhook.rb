# frozen_string_literal: true

require "json"
require "openssl"

# An older delivery is refused, so that nobody can send a recorded one again.
TOLERANCE_SECONDS = 300

# Whether a webhook is genuine and unaltered.
# header gives a header by its name; raw_body is the bytes as received, before any parser.
def verify_webhook(header, raw_body, secret, now = Time.now.to_f)
  request_id = header.call("x-request-id").to_s
  timestamp = header.call("x-service-webhook-timestamp").to_s
  signature = header.call("x-service-webhook-signature").to_s[/\Av1,(\h{64})\z/, 1]
  return false if request_id.empty? || signature.nil? || !timestamp.match?(/\A\d+(\.\d+)?\z/)
  return false if (now - timestamp.to_f).abs > TOLERANCE_SECONDS

  signed = "#{request_id}.#{timestamp}.".b + raw_body.b
  expected = OpenSSL::HMAC.hexdigest("SHA256", secret, signed)
  OpenSSL.fixed_length_secure_compare(expected, signature.downcase)
end

# A Rack application, such as for config.ru: run WEBHOOK
WEBHOOK = lambda do |env|
  header = ->(name) { env["HTTP_#{name.upcase.tr("-", "_")}"] }
  raw_body = env["rack.input"]&.read.to_s
  # The secret that the caller sends as X-Webhook-Secret.
  next [401, {}, []] unless verify_webhook(header, raw_body, ENV.fetch("WEBHOOK_SECRET"))

  delivery = JSON.parse(raw_body)
  # The same delivery may arrive again: what is done here has to bear that.
  warn "Run #{delivery["run_id"]}"
  [200, {}, []]
end
