/** A violated rule, and the evidence. */
export interface Violation {
  readonly rule: string
  /** Lines: the operations and events that contradict each other. */
  readonly account: readonly string[]
}

export const violation = (rule: string, ...account: readonly string[]): Violation => ({ rule, account })
