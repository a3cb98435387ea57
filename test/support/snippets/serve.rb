# frozen_string_literal: true

# Serves the Rack application of webhook.rb.
require "rack"
require "rack/handler/webrick"
require_relative "webhook"

Rack::Handler::WEBrick.run(WEBHOOK, Host: "127.0.0.1", Port: 0)
