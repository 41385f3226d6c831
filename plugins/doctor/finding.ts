import type { LayerFinding } from 'orch/sdk/host'

/** One thing that was looked at. `wrong` keeps a server from starting or from working; a `warning` will, one day. */
export type Finding = LayerFinding

export const fine = (what: string): Finding => ({ grade: 'fine', what })
export const warning = (what: string, remedy: string): Finding => ({ grade: 'warning', what, remedy })
export const wrong = (what: string, remedy: string): Finding => ({ grade: 'wrong', what, remedy })

const marks = { fine: 'ok     ', warning: 'warning', wrong: 'WRONG  ' } as const

/** Lines for people: what is wrong comes with its remedy below it. */
export const lineOf = ({ grade, what, remedy }: Finding): string =>
  `${marks[grade]}  ${what}\n${remedy === undefined ? '' : `         -> ${remedy}\n`}`
