import type { Guard } from './guard.ts';

const listen = 'unit/commandLine/listen.test.ts';

/** Against whoever sees processes, terminals and logs. */
export const commandLineGuards: readonly Guard[] = [
  {
    guard: 'the command line repeats no value that does not fit',
    file: 'src/commandLine/options/secretOption.ts',
    is: "'There is no environment variable of the name that --secret-env gives.'",
    without: '`There is no environment variable ${name}.`',
    tests: { [listen]: ['prints no secret, whatever goes wrong'] },
  },
  {
    guard: 'no control character of a delivery reaches the terminal',
    file: 'src/commandLine/print.ts',
    is: '/[\\u007f-\\u009f\\u2028\\u2029]/g',
    without: '/[\\u2028\\u2029]/g',
    tests: { [listen]: ['prints where it listens, then a line of JSON for each delivery, as it is kept'] },
  },
  {
    guard: 'one program alone keeps deliveries in a folder',
    file: 'src/commandLine/deliveries/keptListener.ts',
    is: 'if (!isTaken) {',
    without: 'if (false) {',
    tests: { [listen]: ['shares its folder with no other, and frees it'] },
  },
  {
    guard: 'an explanation on the command line holds no signature that would make anything verify',
    file: 'src/webhooks/explanation/explanation.ts',
    is: 'const isHidden = [false, !isRight, !isRight && mayFit(diagnosis)];',
    without: 'const isHidden = [false, false, false];',
    tests: { 'unit/commandLine/verify.test.ts': ['prints no signature that would make anything verify'] },
  },
];
