# frozen_string_literal: true

require "json"
require "openssl"

SECRET = ENV.fetch("WEBHOOK_SECRET", "")
raise "Set WEBHOOK_SECRET to the secret that the caller sends as X-Webhook-Secret." if SECRET.empty?

MAX_BODY_BYTES = 16 * 1024 * 1024

# What is to be done with a delivery: body is the value of its JSON, or its text.
# Where it raises, the service sends the delivery again.
def handle_delivery(body)
  warn "Delivery #{body}"
end

# A Rack application, such as for config.ru: run WEBHOOK. It responds with
# 200: the webhook is done, now or when it came before.
# 401: it is not signed, its signature is wrong, or it is too old.
# 404: it could not be done for now. The service sends a webhook again after a 404 or a network error, and
#      never after another 4xx or a 5xx: a 500 would lose it.
WEBHOOK = lambda do |env|
  header = ->(name) { env["HTTP_#{name.upcase.tr("-", "_")}"] }
  input = env["rack.input"]
  input.rewind if input.respond_to?(:rewind)
  raw_body = input&.read(MAX_BODY_BYTES + 1).to_s
  next [413, {}, []] if raw_body.bytesize > MAX_BODY_BYTES
  if raw_body.empty? && (env["CONTENT_LENGTH"].to_i.positive? || env["HTTP_TRANSFER_ENCODING"])
    # Not 401, after which the service would not send it again: it may be genuine.
    warn "Something has read the body before: verify webhooks above what reads bodies."
    next [404, {}, []]
  end
  next [401, {}, []] unless verify_webhook(header, raw_body, SECRET)

  begin
    ONCE.call(header.call("x-request-id")) { handle_delivery(parse_body(raw_body)) }
    [200, {}, []]
  rescue StandardError, ScriptError, SystemStackError => error
    warn error.full_message
    [404, {}, []]
  end
end

# An older webhook is rejected, so that nobody can send a recorded one again.
TOLERANCE_SECONDS = 300

# Whether a webhook is genuine and unaltered.
# header gives a header by its name; raw_body is the bytes as received, before any parser.
def verify_webhook(header, raw_body, secret, now = Time.now.to_f)
  request_id = header.call("x-request-id").to_s
  timestamp = header.call("x-service-webhook-timestamp").to_s
  signature = header.call("x-service-webhook-signature").to_s[/\Av1,([0-9a-f]{64})\z/, 1]
  return false if request_id.empty? || signature.nil? || !timestamp.match?(/\A[1-9][0-9]{0,12}\z/)
  return false if (now - timestamp.to_i).abs > TOLERANCE_SECONDS

  signed = "#{request_id}.#{timestamp}.".b + raw_body.b
  expected = OpenSSL::HMAC.hexdigest("SHA256", secret, signed)
  OpenSSL.fixed_length_secure_compare(expected, signature)
end

# The value of its JSON, or its text: what is no JSON now would be none the next time either.
def parse_body(raw_body)
  text = raw_body.dup.force_encoding(Encoding::UTF_8).scrub
  JSON.parse(text)
rescue JSON::ParserError
  text
end

# Does the work for a request id once, as the service may send a webhook again that was done already. A
# repeat waits for the one before it, and does the work where that one failed. This is the memory of one
# process: where it restarts or there are several, keep the ids in a database, in the work's transaction.
class Once
  # How many request ids are remembered.
  MOST_DONE = 10_000

  def initialize
    @lock = Mutex.new
    @ended = ConditionVariable.new
    @running = {}
    @done = {}
  end

  def call(request_id)
    @lock.synchronize do
      @ended.wait(@lock) while @running[request_id]
      return if @done[request_id]

      @running[request_id] = true
    end
    begin
      yield
      @lock.synchronize { remember(request_id) }
    ensure
      @lock.synchronize do
        @running.delete(request_id)
        @ended.broadcast
      end
    end
  end

  private

  def remember(request_id)
    @done[request_id] = true
    @done.shift if @done.size > MOST_DONE
  end
end

ONCE = Once.new
