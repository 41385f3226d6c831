import { notFound, unauthorized } from 'orch/sdk'
import { defineRoute, jsonFields, type RouteAnswer, type RouteRequest, requiredText } from 'orch/sdk/server'
import { oneTimeCodesToken } from './one-time-codes.js'
import { type SessionToken, sessionTokensToken } from './session-tokens.js'

/** Longer bodies cannot contain a valid code. */
const maxBodyBytes = 4096

const fieldOf = async (request: RouteRequest, field: string): Promise<string> =>
  requiredText(await jsonFields(request, maxBodyBytes), field)

const answer = (content: SessionToken | object): RouteAnswer => ({
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  body: JSON.stringify(content),
})

/** Exchanges the code of a link for a token. */
const signIn = defineRoute({
  path: '/console/sign-in',
  methods: ['POST'],
  access: 'public',
  needs: { codes: oneTimeCodesToken, sessions: sessionTokensToken },
  async handle(request, { codes, sessions }) {
    if (!codes.use(await fieldOf(request, 'code'))) throw unauthorized()
    return answer(sessions.begin())
  },
})

/** Exchanges a valid token for a newer one. */
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

/** Ends the session of a token. Any valid token of the session is sufficient. */
const signOut = defineRoute({
  path: '/console/sign-out',
  methods: ['POST'],
  access: 'public',
  needs: { sessions: sessionTokensToken },
  async handle(request, { sessions }) {
    sessions.end(await fieldOf(request, 'token'))
    return answer({})
  },
})

const sessionsPath = '/console/sessions'

/** All sessions, for users who may `get` and `delete` this path. */
const listSessions = defineRoute({
  path: sessionsPath,
  methods: ['GET', 'DELETE'],
  needs: { sessions: sessionTokensToken },
  handle({ method }, { sessions }) {
    const all = sessions.known.all()
    if (method === 'DELETE') for (const { id } of all) sessions.known.end(id)
    return answer({ sessions: all })
  },
})
const endSession = defineRoute({
  path: `${sessionsPath}/*`,
  methods: ['DELETE'],
  needs: { sessions: sessionTokensToken },
  handle({ path }, { sessions }) {
    const id = path.slice(sessionsPath.length + 1)
    if (!sessions.known.end(id)) throw notFound({ group: '', resource: 'sessions', name: id })
    return answer({})
  },
})

export const signInRoutes = [signIn, renew, signOut, listSessions, endSession]
