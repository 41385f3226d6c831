import { defineStartNotice } from 'orch/sdk'
import { type OneTimeCodes, oneTimeCodesToken } from './one-time-codes.js'

/** The code is in the fragment, which browsers do not send in requests. */
export const linkWith = (address: string, code: string): string => `${address}/console/#code=${code}`

/** Prints a link when the server starts. */
export const signInLink = defineStartNotice({
  name: 'console-link',
  needs: { codes: oneTimeCodesToken },
  lines: (address, { codes }) => [lineFor(address, codes)],
})

/** If the file of the code cannot be written, such as on a full disk, the server starts without a link. */
function lineFor(address: string, codes: Pick<OneTimeCodes, 'issue'>): string {
  try {
    return `Console: ${linkWith(address, codes.issue())} (signs you in once, within ten minutes)`
  } catch (error) {
    return `Console: ${address}/console/ (sign in with a token; no link can be made: ${(error as Error).message})`
  }
}
