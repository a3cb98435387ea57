<?php

declare(strict_types=1);

// An older webhook is rejected, so that nobody can send a recorded one again.
const TOLERANCE_SECONDS = 300;
const MAX_BODY_BYTES = 16 * 1024 * 1024;
// How long a request id is remembered.
const REMEMBERED_SECONDS = 3600;

/**
 * What is to be done with a delivery: $body is the value of its JSON, or its text.
 * Where it throws, the service sends the delivery again.
 */
function handleDelivery(mixed $body): void
{
    error_log('Delivery ' . json_encode($body));
}

/**
 * Takes a webhook, and responds with
 * 200: it is done, now or when it came before.
 * 401: it is not signed, its signature is wrong, or it is too old.
 * 404: it could not be done for now. The service sends a webhook again after a 404 or a network error, and
 *      never after another 4xx or a 5xx: a 500 would lose it.
 */
function receiveWebhook(): void
{
    // What is returned where the script breaks off midway. Nothing is sent before its end, whatever it prints.
    http_response_code(404);
    ob_start();
    $secret = (string) getenv('WEBHOOK_SECRET');
    if ($secret === '') {
        error_log('Set WEBHOOK_SECRET to the secret that the caller sends as X-Webhook-Secret.');
        return;
    }
    $header = fn (string $name): ?string => $_SERVER['HTTP_' . strtoupper(strtr($name, '-', '_'))] ?? null;
    $rawBody = (string) file_get_contents('php://input', false, null, 0, MAX_BODY_BYTES + 1);
    if (strlen($rawBody) > MAX_BODY_BYTES) {
        http_response_code(413);
        return;
    }
    if ($rawBody === '' && (int) ($_SERVER['CONTENT_LENGTH'] ?? 0) > 0) {
        // Not 401, after which the service would not send it again: it may be genuine.
        error_log('The body cannot be read. PHP keeps no raw body of a multipart form: see enable_post_data_reading.');
        return;
    }
    if (!verifyWebhook($header, $rawBody, $secret)) {
        http_response_code(401);
        return;
    }
    try {
        once((string) $header('x-request-id'), fn () => handleDelivery(parseBody($rawBody)));
        http_response_code(200);
    } catch (Throwable $error) {
        error_log((string) $error);
    }
}

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
    if ($requestId === '' || preg_match('/^v1,([0-9a-f]{64})$/D', $signature, $match) !== 1) {
        return false;
    }
    if (preg_match('/^[1-9][0-9]{0,12}$/D', $timestamp) !== 1) {
        return false;
    }
    if (abs(($now ?? microtime(true)) - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = hash_hmac('sha256', "$requestId.$timestamp.$rawBody", $secret);
    return hash_equals($expected, $match[1]);
}

/** The value of its JSON, or its text: what is no JSON now would be none the next time either. */
function parseBody(string $rawBody): mixed
{
    try {
        return json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR);
    } catch (JsonException) {
        return $rawBody;
    }
}

/**
 * Does the work for a request id once, as the service may send a webhook again that was done already. A
 * repeat waits for the one before it, and does the work where that one failed. PHP keeps nothing in memory
 * from one request to the next, so there is a file for each id, on this machine: where there are several,
 * keep the ids in a database, in the work's transaction.
 */
function once(string $requestId, callable $work): void
{
    $folder = sys_get_temp_dir() . '/webhooks-' . hash('crc32b', __FILE__);
    if (!is_dir($folder)) {
        @mkdir($folder, 0700);
    }
    if (random_int(1, 100) === 1) {
        forgetOldOnes($folder);
    }
    $file = fopen($folder . '/' . hash('sha256', $requestId), 'c+');
    if ($file === false || !flock($file, LOCK_EX)) {
        throw new RuntimeException("$folder cannot be written to.");
    }
    try {
        if (stream_get_contents($file) !== 'done') {
            $work();
            fwrite($file, 'done');
        }
    } finally {
        fclose($file);
    }
}

function forgetOldOnes(string $folder): void
{
    foreach (glob("$folder/*") ?: [] as $file) {
        if (filemtime($file) < time() - REMEMBERED_SECONDS) {
            unlink($file);
        }
    }
}

if (PHP_SAPI !== 'cli') {
    receiveWebhook();
}
