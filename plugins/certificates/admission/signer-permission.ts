import type { Authorizer, UserInfo } from 'orch/sdk'
import { domainOfSigner } from 'orch/sdk/validation'

/** Permissions on a signer. */
export type SignerVerb = 'approve' | 'attest' | 'sign'

/** Whether the user has this permission on the signer, by name or for all signers of its domain (`example.com/*`). */
export async function mayActForSigner(
  authorizer: Authorizer,
  user: UserInfo,
  verb: SignerVerb,
  signer: { readonly group: string; readonly name: string },
): Promise<boolean> {
  for (const name of [signer.name, `${domainOfSigner(signer.name)}/*`])
    if (await authorizer.allows(user, verb, { group: signer.group, version: '*', resource: 'signers', name }))
      return true
  return false
}
