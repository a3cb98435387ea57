<?php

declare(strict_types=1);

// An older delivery is refused, so that nobody can send a recorded one again.
const TOLERANCE_SECONDS = 300;

/**
 * Whether a webhook is genuine and unaltered.
 *
 * @param callable(string): ?string $header gives a header by its name
 * @param string $rawBody the bytes as received, before any parser
 */
function verifyWebhook(callable $header, string $rawBody, string $secret, ?float $now = null): bool
{
    $requestId = $header('x-request-id') ?? '';
    $timestamp = $header('x-service-webhook-timestamp') ?? '';
    $signature = $header('x-service-webhook-signature') ?? '';
    if ($requestId === '' || preg_match('/^v1,([0-9a-f]{64})$/Di', $signature, $match) !== 1) {
        return false;
    }
    if (preg_match('/^[0-9]+(\.[0-9]+)?$/D', $timestamp) !== 1) {
        return false;
    }
    if (abs(($now ?? microtime(true)) - (float) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = hash_hmac('sha256', "$requestId.$timestamp.$rawBody", $secret);
    return hash_equals($expected, strtolower($match[1]));
}

function handleWebhook(): void
{
    $header = fn (string $name): ?string => $_SERVER['HTTP_' . strtoupper(strtr($name, '-', '_'))] ?? null;
    $rawBody = (string) file_get_contents('php://input');
    // The secret that the caller sends as X-Webhook-Secret.
    $secret = (string) getenv('WEBHOOK_SECRET');
    if ($secret === '' || !verifyWebhook($header, $rawBody, $secret)) {
        http_response_code(401);
        return;
    }
    $delivery = json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR);
    // The same delivery may arrive again: what is done here has to bear that.
    error_log('Run ' . ($delivery['run_id'] ?? ''));
    http_response_code(200);
}

if (PHP_SAPI !== 'cli') {
    handleWebhook();
}
