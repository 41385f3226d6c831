import type { AccessDecision, AuthorizerDefinition } from 'orch/sdk/identity'
import type { JsonObject } from '../../libs/json/index.js'
import type { Manifest } from './manifest.js'
import { invalidReply, type WasmCalls } from './wasm-calls.js'

const decisions = ['allow', 'deny', 'noOpinion'] as const

/**
 * An authorization mode implemented by a function of a module. A failed call denies access; with the policy
 * `Ignore` it has no opinion.
 */
export function wasmAuthorizer(
  { mode, function: name }: Manifest['authorizers'][number],
  calls: WasmCalls,
): AuthorizerDefinition {
  const read = ({ decision, reason }: JsonObject): AccessDecision => {
    const known = decisions.find(each => each === decision)
    if (!known) throw invalidReply(name, `"decision" must be ${decisions.join(', ')}`)
    return typeof reason === 'string' ? { decision: known, reason } : { decision: known }
  }
  const failed: AccessDecision = {
    decision: calls.policy === 'Ignore' ? 'noOpinion' : 'deny',
    reason: `the module of the authorization mode ${mode} failed`,
    evaluationError: `the module of the authorization mode ${mode} failed`,
  }
  return { mode, authorize: access => calls.call(name, { access }, read, failed, 'Ignore') }
}
