/** What the help says of the options of serviceOptions.ts, without loading what those need. */
type OptionHelp = readonly (readonly [option: string, meaning: string])[];

const commonHelp: OptionHelp = [
  ['--token-file PATH', 'the file with the token (default: the variable RUNHOOK_TOKEN)'],
  ['--allow-http', 'allows an http:// address on another machine: the token can be read on the way'],
];
export const baseHelp: OptionHelp = [
  ['--base-url URL', 'the management API (default: RUNHOOK_BASE_URL)'],
  ...commonHelp,
];
export const proxyHelp: OptionHelp = [
  ['--proxy-url URL', 'the run proxy (default: RUNHOOK_PROXY_URL)'],
  ...commonHelp,
];
export const agreementHelp: OptionHelp = [['--yes', 'does not ask; required without a terminal']];
