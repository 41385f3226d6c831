import type { Vendor } from 'orch/sdk'
import { defineAuthenticator, mastersGroup } from 'orch/sdk/identity'
import { sessionTokensToken } from './session-tokens.js'

/** Knows the tokens that were given for a link: who can read what the server prints is its administrator. */
export const sessionAuthenticator = (vendor: Vendor) =>
  defineAuthenticator({
    name: 'console-session',
    kind: 'bearer',
    needs: { sessions: sessionTokensToken },
    authenticate({ bearerToken = '' }, { sessions }) {
      if (!sessions.isOne(bearerToken)) return undefined
      const session = sessions.verify(bearerToken)
      if (!session) throw new Error('the session of the console has ended')
      return {
        user: { name: `${vendor.name}-admin`, groups: [mastersGroup] },
        expiresAt: session.until,
        isStillValid: () => sessions.known.has(session.id),
        auditAnnotations: { [`${vendor.group('authentication')}/console-session`]: session.id },
      }
    },
  })
