/** The option of commands that send deliveries to an app. */
export const certificateOptions = { 'accept-local-certificates': { type: 'boolean' } } as const;

export const certificateHelp: readonly (readonly [option: string, meaning: string])[] = [
  ['--accept-local-certificates', 'any certificate of your app will do, where it is on this machine'],
];
