import { isDns1123Label, isDns1123Subdomain } from 'orch/sdk/validation'
import { Failure, type Library, method, OpaqueValue, structType, type Type } from '../../cel/index.js'

const qualifiedName = (name: string) => `kubernetes.authorization.${name}`
const typeOf = (name: string): Type => structType(qualifiedName(name), new Map())
/** The types of the variables `authorizer` and `authorizer.requestResource`. */
export const authorizerType = typeOf('Authorizer')
export const resourceCheckType = typeOf('ResourceCheck')

/** An authorization check made by an expression. */
export interface AuthorizationQuestion {
  readonly verb: string
  readonly group?: string
  readonly resource?: string
  readonly subresource?: string
  readonly namespace?: string
  readonly name?: string
  readonly fieldSelector?: string
  readonly labelSelector?: string
  readonly path?: string
  readonly serviceAccount?: { readonly namespace: string; readonly name: string }
}
export interface AuthorizationDecision {
  readonly decision: 'allow' | 'deny' | 'noOpinion'
  readonly reason?: string
  readonly evaluationError?: string
}
/** Decides the authorization checks of expressions. */
export interface AuthorizerOfExpressions {
  readonly requestResource?: Omit<AuthorizationQuestion, 'verb' | 'path'>
  check(question: AuthorizationQuestion): AuthorizationDecision
}

/** An authorization check that is built step by step. */
class Question extends OpaqueValue {
  readonly typeName: string
  readonly authorizer: AuthorizerOfExpressions
  readonly about: Omit<AuthorizationQuestion, 'verb'>
  constructor(step: string, authorizer: AuthorizerOfExpressions, about: Omit<AuthorizationQuestion, 'verb'>) {
    super()
    this.typeName = qualifiedName(step)
    this.authorizer = authorizer
    this.about = about
  }
  equals(other: OpaqueValue): boolean {
    return other === this
  }
}
class Decision extends OpaqueValue {
  readonly typeName = qualifiedName('Decision')
  readonly made: AuthorizationDecision
  constructor(made: AuthorizationDecision) {
    super()
    this.made = made
  }
  equals(other: OpaqueValue): boolean {
    return other === this
  }
}

export const authorizerValue = (authorizer: AuthorizerOfExpressions) => new Question('Authorizer', authorizer, {})
export const requestResourceValue = (authorizer: AuthorizerOfExpressions) =>
  new Question('ResourceCheck', authorizer, authorizer.requestResource ?? {})

/** A method that adds to the check. */
const step = (from: string, to: string, more: (text: string) => Omit<AuthorizationQuestion, 'verb'>) =>
  method(`${from},string:${to}`, (work, { authorizer, about }: Question, text: string) => {
    work.steps(20)
    return new Question(to, authorizer, { ...about, ...more(text) })
  })
/** Rejects empty names. */
function named(what: 'path' | 'resource', text: string): string {
  if (text.trim() === '') throw new Failure(`${what} must not be empty`)
  return text
}
const check = (from: string) =>
  method(`${from},string:Decision`, (work, { authorizer, about }: Question, verb: string) => {
    work.steps(2000)
    return new Decision(authorizer.check({ ...about, verb }))
  })
const types = Object.fromEntries(
  ['Authorizer', 'PathCheck', 'GroupCheck', 'ResourceCheck', 'Decision'].map(name => [name, typeOf(name)]),
)

/** Authorization checks: `authorizer.group('apps').resource('deployments').namespace('a').check('create').allowed()`. */
export const authorization: Library = {
  name: 'authorization',
  since: 27,
  types,
  functions: {
    path: { authorizer_path: step('Authorizer', 'PathCheck', path => ({ path: named('path', path) })) },
    group: { authorizer_group: step('Authorizer', 'GroupCheck', group => ({ group })) },
    serviceAccount: {
      authorizer_serviceaccount: method(
        'Authorizer,string,string:Authorizer',
        (work, { authorizer }: Question, namespace: string, name: string) => {
          work.steps(20 + (namespace.length + name.length) / 4)
          if (isDns1123Subdomain(name).length > 0) throw new Failure('Invalid service account name')
          if (isDns1123Label(namespace).length > 0) throw new Failure('Invalid service account namespace')
          return new Question('Authorizer', authorizer, { serviceAccount: { namespace, name } })
        },
      ),
    },
    resource: {
      groupcheck_resource: step('GroupCheck', 'ResourceCheck', resource => ({ resource: named('resource', resource) })),
    },
    subresource: {
      resourcecheck_subresource: step('ResourceCheck', 'ResourceCheck', subresource => ({ subresource })),
    },
    namespace: { resourcecheck_namespace: step('ResourceCheck', 'ResourceCheck', namespace => ({ namespace })) },
    name: { resourcecheck_name: step('ResourceCheck', 'ResourceCheck', name => ({ name })) },
    check: { pathcheck_check: check('PathCheck'), resourcecheck_check: check('ResourceCheck') },
    allowed: { decision_allowed: method('Decision:bool', (_, { made }: Decision) => made.decision === 'allow') },
    reason: { decision_reason: method('Decision:string', (_, { made }: Decision) => made.reason ?? '') },
    error: { decision_error: method('Decision:string', (_, { made }: Decision) => made.evaluationError ?? '') },
    errored: {
      decision_errored: method('Decision:bool', (_, { made }: Decision) => made.evaluationError !== undefined),
    },
  },
}

/** The selectors of a list, watch or deletecollection. */
export const authorizationSelectors: Library = {
  name: 'authorization selectors',
  since: 31,
  types,
  functions: {
    fieldSelector: {
      authorizer_fieldselector: step('ResourceCheck', 'ResourceCheck', fieldSelector => ({ fieldSelector })),
    },
    labelSelector: {
      authorizer_labelselector: step('ResourceCheck', 'ResourceCheck', labelSelector => ({ labelSelector })),
    },
  },
}
