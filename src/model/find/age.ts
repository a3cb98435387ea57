const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** The pattern of an age: `90s`, `15m`, `1h`, `1d`. */
export const agePattern = /^[1-9]\d{0,3}[smhd]$/;

/** An age in milliseconds. */
export function ageOf(age: string): number {
  return Number.parseInt(age, 10) * units[age.at(-1) as keyof typeof units];
}
