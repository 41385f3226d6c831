import { Type } from 'orch/sdk'

export const EncryptionOptions = Type.Object({
  encryptionProviderConfig: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'File with an EncryptionConfiguration: which resources are stored encrypted, and with which keys.',
    }),
  ),
  encryptionProviderConfigAutomaticReload: Type.Boolean({
    default: true,
    description: 'Read --encryption-provider-config again when it changes.',
  }),
})
export type EncryptionOptions = typeof EncryptionOptions.static
