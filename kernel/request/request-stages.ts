import { andThen, defineDifference, unauthorized } from 'orch/sdk'
import type { ApiDelegation, RequestLimiter } from 'orch/sdk/server'
import type { RequestContext } from '../contracts/request-context.js'
import type { ResourceServices } from '../resources/resource-services.js'
import { serveResource } from '../resources/route-verb.js'
import { tracedServices } from '../resources/traced-services.js'
import type { Audit } from './audit.js'
import type { AuthenticatorChain } from './authenticate.js'
import { type AuthorizationParts, authorizeRequest } from './authorize.js'
import type { ConstrainedImpersonation } from './constrained-impersonation.js'
import { delegateOf, forwardToDelegate } from './delegate-request.js'
import { impersonate } from './impersonate.js'

/** What the stages need. */
export interface StageParts extends AuthorizationParts {
  readonly authenticators: AuthenticatorChain
  readonly audit: Audit
  readonly limiter: RequestLimiter
  /** Read when a verb starts: plugins may have changed since the request arrived. */
  readonly live: { readonly resources: ResourceServices }
  /** Serves paths outside the resource API; false when there is no such path. */
  readonly servePath: (context: RequestContext) => boolean | Promise<boolean>
  /** Public paths need neither authentication nor authorization. */
  isPublic(path: string): boolean
  /** Extension servers below `/apis`. */
  readonly delegation?: ApiDelegation | undefined
  /** Impersonation that is restricted to certain requests; undefined where only the verb `impersonate` counts. */
  readonly constrainedImpersonation?: ConstrainedImpersonation | undefined
}

/**
 * One stage of a request. It returns when the next one may begin, or a promise if it has to wait, and throws an ApiError to end
 * the request. The runner takes care of tracing, time-outs and clients that disconnect.
 */
export interface Stage {
  /** The name of its span in a trace; a stage without one has none. */
  readonly span: string | undefined
  /** Requests that skip it. */
  readonly skips: ((context: RequestContext, parts: StageParts) => boolean) | undefined
  run(context: RequestContext, parts: StageParts): void | Promise<void>
}

/** The stages of every request, in order. */
export const requestStages: readonly Stage[] = [
  /** Sets the user. Ends with 401 when no method recognises the credentials. */
  stage(authenticate, { span: 'authentication', skips: isPublicPath }),
  /** Decides what the audit log records. Ends with 500 when the event must be recorded and cannot be. */
  stage((context, { audit }) => audit.requestReceived(context)),
  /** Replaces the user if the headers ask for it. Ends with 400 for unknown headers, 403 without the permission. */
  stage((context, { authorizer, vendor, constrainedImpersonation }) =>
    impersonate(authorizer, vendor, context, constrainedImpersonation),
  ),
  /** Takes a seat, perhaps after a wait. Ends with 429 when all seats are taken. */
  stage((context, { limiter }) => limiter.enter(context), { span: 'wait for a seat' }),
  /** Ends with 403 unless the user may do this. */
  stage(authorizeRequest, { span: 'authorization', skips: isPublicPath }),
  /** Answers: an extension server, a verb of a resource, or a path outside the API. Ends with whatever they answer, or 404. */
  stage(serve),
]

/** All stages have the same shape, so that running them costs no lookups. */
function stage(run: Stage['run'], { span, skips }: Partial<Pick<Stage, 'span' | 'skips'>> = {}): Stage {
  return { span, skips, run }
}

/** A client that sends a second space before its token is treated as anonymous. */
const spaceBeforeToken = /^\s*bearer {2}/i
const spaceWarning = 'the provided Authorization header contains extra space before the bearer token, and is ignored'
export const warnsAboutSpaces = defineDifference({
  name: 'spaces-before-tokens-cause-warnings',
  since: '1.25',
  description: 'A client that sends two spaces before its bearer token gets a warning that the token is ignored.',
  knownFrom: 'source',
  additive: true,
})

function isPublicPath({ info }: RequestContext, { isPublic }: StageParts): boolean {
  return !info.isResource && isPublic(info.path)
}

function authenticate(context: RequestContext, { authenticators, vendor }: StageParts): void | Promise<void> {
  const { authorization = '' } = context.exchange.headers
  if (spaceBeforeToken.test(authorization) && vendor.level.has(warnsAboutSpaces)) context.warn(spaceWarning)
  return andThen(authenticators.authenticate(context.exchange, context), user => {
    if (!user) throw unauthorized()
    context.user = user
  })
}

function serve(context: RequestContext, { delegation, live, servePath }: StageParts): void | Promise<void> {
  const { resources } = live
  const { info, progress } = context
  const delegate = delegation && delegateOf(delegation, info)
  if (delegate) return forwardToDelegate(delegate, context)
  if (info.isResource && resources.types.get(info.group, info.resource))
    return serveResource(progress.trace ? tracedServices(resources, progress.trace) : resources, context)
  // An encoded slash would otherwise be taken for a separator.
  const isServed = (info.isResource || !info.isUnroutable) && servePath(context)
  return andThen(isServed, was => answerUnlessServed(context, was))
}

function answerUnlessServed(context: RequestContext, isServed: boolean): void {
  if (!isServed) answerUnknownPath(context)
}

/** A plain page, not a Status: nothing is served at the path. */
export function answerUnknownPath({ exchange }: RequestContext): void {
  const headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache, private',
  }
  exchange.send(404, headers, '404 page not found\n')
}
