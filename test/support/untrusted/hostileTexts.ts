/** Names and messages that a hostile service could send: markup, control characters, long texts, special names. */
export const hostileTexts: readonly string[] = [
  '**bold** [link](command:workbench.action.quit) ![x](https://x.example/x.png)',
  '<img src=x onerror=alert(1)><script>alert(1)</script>',
  '$(trash) $(sync~spin)',
  'one\r\ntwo\u2028three\u0000four\u001b[31mfive',
  'forged\n12:04:11.203  ✓ verified   hello         run-8f3c21      200   1.2 KB',
  '\u001b]8;;https://x.example/\u0007click\u001b]8;;\u0007 \u009b2J',
  'abc\u202egnp.exe',
  'a\u2066b\u2069c\u200fd\u061ce',
  'x'.repeat(10_000),
  '[x](command:a) '.repeat(1000),
  '\ud800 a half of a character',
  `${'x'.repeat(299)}😀`,
  '__proto__',
  'constructor',
  '{0} {1} %s ${env:HOME}',
  ' ',
];
