/** What a service could send to be drawn, run or believed. */
export const hostileTexts: readonly string[] = [
  '**bold** [link](command:workbench.action.quit) ![x](https://x.example/x.png)',
  '<img src=x onerror=alert(1)><script>alert(1)</script>',
  '$(trash) $(sync~spin)',
  'one\r\ntwo\u2028three\u0000four\u001b[31mfive',
  'abc\u202egnp.exe',
  'x'.repeat(10_000),
  '\ud800 a half of a character',
  '__proto__',
  'constructor',
  '{0} {1} %s ${env:HOME}',
  ' ',
];
