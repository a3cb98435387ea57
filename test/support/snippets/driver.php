<?php

// Runs webhook.php on cases from standard input; see snippetCases.ts for their form.
declare(strict_types=1);

require __DIR__ . '/webhook.php';

$decode = fn (string $field): ?string => $field === '-' ? null : base64_decode($field, true);

while (($line = fgets(STDIN)) !== false) {
    [$secret, $clock, $requestId, $timestamp, $signature, $body] = array_map($decode, explode("\t", rtrim($line, "\n")));
    $headers = [
        'x-request-id' => $requestId,
        'x-service-webhook-timestamp' => $timestamp,
        'x-service-webhook-signature' => $signature,
    ];
    $header = fn (string $name): ?string => $headers[$name] ?? null;
    echo verifyWebhook($header, $body, $secret, (float) $clock) ? 'true' : 'false', "\n";
}
