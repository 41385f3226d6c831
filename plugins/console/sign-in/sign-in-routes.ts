import { defineRoute, jsonFields, type RouteAnswer, type RouteRequest, requiredText, unauthorized } from 'orch/sdk'
import { oneTimeCodesToken } from './one-time-codes.js'
import { type SessionToken, sessionTokensToken } from './session-tokens.js'

/** Longer bodies hold no code of ours. */
const maxBodyBytes = 4096

const fieldOf = async (request: RouteRequest, field: string): Promise<string> =>
  requiredText(await jsonFields(request, maxBodyBytes), field)

const answer = (token: SessionToken): RouteAnswer => ({
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  body: JSON.stringify(token),
})

/** Takes a code of a link for a token. */
const signIn = defineRoute({
  path: '/console/sign-in',
  methods: ['POST'],
  access: 'public',
  needs: { codes: oneTimeCodesToken, sessions: sessionTokensToken },
  async handle(request, { codes, sessions }) {
    if (!codes.use(await fieldOf(request, 'code'))) throw unauthorized()
    return answer(sessions.issue())
  },
})

/** Takes a token that still counts for one that does so longer. */
const renew = defineRoute({
  path: '/console/renew',
  methods: ['POST'],
  access: 'public',
  needs: { sessions: sessionTokensToken },
  async handle(request, { sessions }) {
    const renewed = sessions.renew(await fieldOf(request, 'token'))
    if (!renewed) throw unauthorized()
    return answer(renewed)
  },
})

export const signInRoutes = [signIn, renew]
