import type { Vendor } from 'orch/sdk'
import { defineAuthenticator, mastersGroup } from 'orch/sdk/identity'
import { sessionTokensToken } from './session-tokens.js'

/** Authenticates tokens of link sessions as administrator: only administrators can read the server's output. */
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
