import { defineStartNotice } from 'orch/sdk'
import { oneTimeCodesToken } from './one-time-codes.js'

/** The link for whoever starts the server. The code is in the fragment, which a browser sends to nobody. */
export const signInLink = defineStartNotice({
  name: 'console-link',
  needs: { codes: oneTimeCodesToken },
  lines: (address, { codes }) => [
    `Console: ${address}/console/#code=${codes.issue()} (signs you in once, within ten minutes)`,
  ],
})
