/** The status that a delivery was answered with. @param answered 0 where it got no answer, or none yet */
export function answerStatusText(answered: number): string {
  return answered === 0 ? '–' : answered.toString();
}
