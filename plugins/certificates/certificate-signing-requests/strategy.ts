import type { Strategy } from 'orch/sdk'
import type { CertificateNames } from '../names.js'
import type { CertificateSigningRequest } from './schema.js'
import { validateRequest } from './validation.js'

/** Clients say what they want certified, once; who asks is what authentication says. Later only metadata changes here. */
export const mainStrategy = (names: CertificateNames) =>
  ({
    prepareForCreate(draft, { user }) {
      const { request, signerName, expirationSeconds, usages } = draft.spec
      draft.spec = {
        request,
        signerName,
        ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
        ...(usages === undefined ? {} : { usages }),
        username: user.name,
        ...(user.uid === undefined ? {} : { uid: user.uid }),
        groups: [...user.groups],
        ...(user.extra === undefined ? {} : { extra: copyOf(user.extra) }),
      }
      draft.status = {}
    },
    prepareForUpdate(draft, stored) {
      draft.spec = stored.spec
      draft.status = stored.status
    },
    validate: request => validateRequest(request, names),
    resetFields: ['spec', 'status'],
  }) satisfies Strategy<CertificateSigningRequest>

const copyOf = (extra: Readonly<Record<string, readonly string[]>>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]))
