import { type CelFunc, CelScalar, celMethod, mapType } from '@bufbuild/cel'
import type { AccessDecision, ExpressionAuthorizer, ExpressionQuestion } from 'orch/sdk'
import { charge } from './meter.js'
import { contentOf, opaque } from './open-values.js'

const { STRING, BOOL, DYN } = CelScalar
const Map_ = mapType(DYN, DYN)
/** The cost of an authorization check, which may be a call to a webhook. */
const costOfCheck = 350_000

/** An authorization check that is built step by step. */
class Question {
  readonly authorizer: ExpressionAuthorizer
  readonly about: Omit<ExpressionQuestion, 'verb'>
  constructor(authorizer: ExpressionAuthorizer, about: Omit<ExpressionQuestion, 'verb'>) {
    this.authorizer = authorizer
    this.about = about
  }
}
class Decision {
  readonly made: AccessDecision
  constructor(made: AccessDecision) {
    this.made = made
  }
}

/** The values of the variables `authorizer` and `authorizer.requestResource`. */
export const authorizerValue = (authorizer: ExpressionAuthorizer) => opaque(new Question(authorizer, {}))
export const requestResourceValue = (authorizer: ExpressionAuthorizer) =>
  opaque(new Question(authorizer, authorizer.requestResource ?? {}))

const content = <T>(value: unknown, type: abstract new (...args: never[]) => T, name: string): T => {
  const found = contentOf(value, type)
  if (!found) throw new Error(`no such overload: ${name}`)
  return found
}
/** A method that adds to the check. */
const step = (name: string, more: (text: string) => Omit<ExpressionQuestion, 'verb'>) =>
  celMethod(name, Map_, [STRING], DYN, function (this: unknown, text: string) {
    const { authorizer, about } = content(this, Question, name)
    return opaque(new Question(authorizer, { ...about, ...more(text) })) as never
  })

/** Authorization checks: `authorizer.group('apps').resource('deployments').namespace('a').check('create').allowed()`. */
export const authorizerFunctions: CelFunc[] = [
  step('path', path => ({ path })),
  step('group', group => ({ group })),
  step('resource', resource => ({ resource })),
  step('subresource', subresource => ({ subresource })),
  step('namespace', namespace => ({ namespace })),
  step('name', name => ({ name })),
  // Authorizers here do not evaluate selectors, so selectors have no effect.
  step('fieldSelector', () => ({})),
  step('labelSelector', () => ({})),
  celMethod('serviceAccount', Map_, [STRING, STRING], DYN, function (this: unknown, namespace: string, name: string) {
    const { authorizer } = content(this, Question, 'serviceAccount')
    return opaque(new Question(authorizer, { serviceAccount: { namespace, name } })) as never
  }),
  celMethod('check', Map_, [STRING], DYN, function (this: unknown, verb: string) {
    const { authorizer, about } = content(this, Question, 'check')
    charge(costOfCheck)
    return opaque(new Decision(authorizer.check({ ...about, verb }))) as never
  }),
  celMethod('allowed', Map_, [], BOOL, function (this: unknown) {
    return content(this, Decision, 'allowed').made.decision === 'allow'
  }),
  celMethod('reason', Map_, [], STRING, function (this: unknown) {
    return content(this, Decision, 'reason').made.reason ?? ''
  }),
  celMethod('error', Map_, [], STRING, function (this: unknown) {
    return content(this, Decision, 'error').made.evaluationError ?? ''
  }),
  celMethod('errored', Map_, [], BOOL, function (this: unknown) {
    return content(this, Decision, 'errored').made.evaluationError !== undefined
  }),
]
