import type { JWTPayload } from 'jose'
import type { UserInfo } from 'orch/sdk'
import type { Expression, ExpressionBudget, Expressions } from 'orch/sdk/expressions'
import { userOfClaims } from '../openid-connect/claims-user.js'
import type { ClaimSource, JwtConfiguration, Rule } from './authentication-configuration.js'

/** Limits the evaluation cost of all expressions for one token together. */
const maxTokenCost = 2_000_000
const anything = {}
const texts = { type: 'array', items: { type: 'string' } }
const userSchema = {
  type: 'object',
  properties: {
    username: { type: 'string' },
    uid: { type: 'string' },
    groups: texts,
    extra: { type: 'object', additionalProperties: texts },
  },
}

/** Maps the claims of a verified token to its user; throws when a rule is not met. */
export type ClaimMapping = (claims: JWTPayload) => UserInfo

interface CompiledRule {
  readonly rule: Rule
  readonly expression: Expression
}

/** Compiles the expressions of an issuer. Rejects with an ExpressionError that names the place of the wrong one. */
export async function compileMapping(
  entry: JwtConfiguration,
  language: Expressions,
  place: string,
): Promise<ClaimMapping> {
  const compile = async (text: string, where: string, variable: 'claims' | 'user', isRule: boolean) => {
    try {
      return await language.compile(text, {
        variables: { [variable]: variable === 'claims' ? anything : userSchema },
        ...(isRule ? { result: 'bool' as const } : {}),
        // Claims can be of any size, so no estimate is possible: the actual cost is limited.
        maxCost: Number.POSITIVE_INFINITY,
      })
    } catch (error) {
      throw new Error(`${place}.${where}: ${(error as Error).message}`, { cause: error })
    }
  }
  const rulesOf = (rules: readonly Rule[], where: string, variable: 'claims' | 'user'): Promise<CompiledRule[]> =>
    Promise.all(
      rules.map(async (rule, at) => ({
        rule,
        expression: await compile(rule.expression, `${where}[${at}].expression`, variable, true),
      })),
    )
  const sourceOf = async (source: ClaimSource | undefined, name: string) =>
    source === undefined || source.claim !== undefined
      ? source
      : await compile(source.expression, `claimMappings.${name}.expression`, 'claims', false)
  const [claimRules, userRules, username, groups, uid] = await Promise.all([
    rulesOf(entry.claimRules, 'claimValidationRules', 'claims'),
    rulesOf(entry.userRules, 'userValidationRules', 'user'),
    sourceOf(entry.username, 'username'),
    sourceOf(entry.groups, 'groups'),
    sourceOf(entry.uid, 'uid'),
  ])
  const extra = await Promise.all(
    entry.extra.map(async ({ key, expression: text }, at) => ({
      key,
      expression: await compile(text, `claimMappings.extra[${at}].valueExpression`, 'claims', false),
    })),
  )
  return claims => {
    const budget: ExpressionBudget = { left: maxTokenCost }
    checkRules(claimRules, { claims }, budget)
    // Named claims are mapped as by the flags for one issuer; expressions replace the result.
    const named = userOfClaims(claims, {
      usernameClaim: entry.username.claim ?? 'iss',
      usernamePrefix: entry.username.claim === undefined ? '' : entry.username.prefix,
      groupsClaim: entry.groups?.claim,
      groupsPrefix: entry.groups?.claim === undefined ? '' : entry.groups.prefix,
      requiredClaims: entry.requiredClaims,
    })
    const value = (expression: Expression, what: string) => resultOf(expression, what, { claims }, budget)
    const name = isExpression(username) ? singleText(value(username, 'username'), 'username') : named.name
    if (name === '') throw new Error('oidc: the token contains no user name')
    const ownUid = isExpression(uid) ? singleText(value(uid, 'uid'), 'uid') : uid && claims[uid.claim]
    const user: UserInfo = {
      name,
      groups: isExpression(groups) ? textsOf(value(groups, 'groups'), 'groups') : named.groups,
      ...(typeof ownUid === 'string' && ownUid !== '' ? { uid: ownUid } : {}),
      ...extraOf(extra.map(({ key, expression }) => [key, textsOf(value(expression, key), key)] as const)),
    }
    const shown = { username: user.name, uid: user.uid ?? '', groups: user.groups, extra: user.extra ?? {} }
    checkRules(userRules, { user: shown }, budget)
    return user
  }
}

const isExpression = (source: ClaimSource | Expression | undefined): source is Expression =>
  source !== undefined && 'evaluate' in source

function extraOf(pairs: readonly (readonly [string, readonly string[]])[]): Pick<UserInfo, 'extra'> {
  const filled = pairs.filter(([, values]) => values.length > 0)
  return filled.length === 0 ? {} : { extra: Object.fromEntries(filled.map(([key, values]) => [key, [...values]])) }
}

function checkRules(
  rules: readonly CompiledRule[],
  variables: Readonly<Record<string, unknown>>,
  budget: ExpressionBudget,
): void {
  for (const { rule, expression } of rules) {
    if (resultOf(expression, 'a validation rule', variables, budget) !== true)
      throw new Error(`oidc: ${rule.message ?? `validation expression '${rule.expression}' failed`}`)
  }
}

/** The result of an expression. Its error may quote claims, so it is not passed on. */
function resultOf(
  expression: Expression,
  what: string,
  variables: Readonly<Record<string, unknown>>,
  budget: ExpressionBudget,
): unknown {
  const outcome = expression.evaluate(variables, budget)
  if ('error' in outcome) throw new Error(`oidc: the expression of ${what} could not be evaluated for this token`)
  return outcome.value
}

function singleText(value: unknown, what: string): string {
  if (typeof value === 'string') return value
  throw new Error(`oidc: the expression of ${what} does not return a string`)
}

/** A string or a list of strings; null and empty strings are left out. */
function textsOf(value: unknown, what: string): readonly string[] {
  if (value === null || value === undefined || value === '') return []
  const list = Array.isArray(value) ? value : [value]
  if (list.every(each => typeof each === 'string')) return list.filter(each => each !== '')
  throw new Error(`oidc: the expression of ${what} returns neither a string nor a list of strings`)
}
