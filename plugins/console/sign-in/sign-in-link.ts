import { defineStartNotice } from 'orch/sdk'
import { oneTimeCodesToken } from './one-time-codes.js'

/** The code is in the fragment, which a browser sends to nobody. */
export const linkWith = (address: string, code: string): string => `${address}/console/#code=${code}`

/** The link for whoever starts the server. */
export const signInLink = defineStartNotice({
  name: 'console-link',
  needs: { codes: oneTimeCodesToken },
  lines: (address, { codes }) => [
    `Console: ${linkWith(address, codes.issue())} (signs you in once, within ten minutes)`,
  ],
})
