import { randomBytes } from 'node:crypto'
import { defineAuthenticator, defineAuthorizer } from '../../identity/index.js'
import { definePlugin } from '../../index.js'

const tokenOf = (who: string) => `conformance-${who}-${randomBytes(8).toString('hex')}`
const readingVerbs = ['get', 'list', 'watch']

/** Users with few permissions, for servers under test: one may read everything, the other nothing. */
export const userTokens = { reader: tokenOf('reader'), stranger: tokenOf('stranger') } as const
export type ConformanceUser = keyof typeof userTokens

/** Listed last, so that anything the plugins under test allow is decided before this is consulted. */
export const conformanceUsers = definePlugin({
  name: 'conformance-users',
  register(to) {
    to.authenticator(
      defineAuthenticator({
        name: 'conformance-users',
        kind: 'bearer',
        authenticate({ bearerToken }) {
          const [name] = Object.entries(userTokens).find(([, token]) => token === bearerToken) ?? []
          return name === undefined ? undefined : { user: { name: `conformance-${name}`, groups: [] } }
        },
      }),
    )
    to.authorizer(
      defineAuthorizer({
        mode: 'ConformanceUsers',
        authorize: ({ user, verb }) =>
          user.name === 'conformance-reader' && readingVerbs.includes(verb)
            ? { decision: 'allow' }
            : { decision: 'noOpinion' },
      }),
    )
  },
})
