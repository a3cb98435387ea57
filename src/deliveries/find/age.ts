const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** An age in milliseconds. */
export function ageOf(age: string): number {
  return Number.parseInt(age, 10) * units[age.at(-1) as keyof typeof units];
}
