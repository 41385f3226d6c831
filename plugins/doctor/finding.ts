import type { LayerFinding } from 'orch/sdk/host'

/** The result of one check. `wrong` prevents a server from starting or working; a `warning` will do so in the future. */
export type Finding = LayerFinding

export const fine = (what: string): Finding => ({ grade: 'fine', what })
export const warning = (what: string, remedy: string): Finding => ({ grade: 'warning', what, remedy })
export const wrong = (what: string, remedy: string): Finding => ({ grade: 'wrong', what, remedy })

const marks = { fine: 'ok     ', warning: 'warning', wrong: 'WRONG  ' } as const

/** The line for a terminal, with the remedy below. */
export const lineOf = ({ grade, what, remedy }: Finding): string =>
  `${marks[grade]}  ${what}\n${remedy === undefined ? '' : `         -> ${remedy}\n`}`
