# frozen_string_literal: true

# Runs webhook.rb on cases from standard input; see snippetCases.ts for their form.
require_relative "webhook"

decode = ->(field) { field == "-" ? nil : field.unpack1("m0") }

$stdin.each_line(chomp: true) do |line|
  secret, clock, request_id, timestamp, signature, body = line.split("\t", -1).map(&decode)
  headers = {
    "x-request-id" => request_id,
    "x-service-webhook-timestamp" => timestamp,
    "x-service-webhook-signature" => signature
  }
  puts verify_webhook(headers.method(:[]), body, secret, clock.to_f)
end
