import { defineStartTask, type Resolved, services, serviceToken, type Vendor } from 'orch/sdk'
import { ImagePolicy, imagePolicyNeeds } from './image-policy.js'
import type { ImagePolicyNames } from './names.js'
import { controlName, readSettings } from './settings.js'

/** The policy, if one is configured. */
const configuredPolicy = serviceToken<{ readonly policy: ImagePolicy | undefined }>('configured image policy')
/** The policy; a control that needs it fails the boot if none is configured. */
export const imagePolicy = serviceToken<ImagePolicy>('image policy')

const needs = { configuration: services.admissionConfiguration, ...imagePolicyNeeds } as const
const needsConfigured = { configured: configuredPolicy } as const

export const policyServices = (names: ImagePolicyNames, vendor: Vendor) => [
  {
    token: configuredPolicy,
    needs,
    create({ configuration, ...given }: Resolved<typeof needs>) {
      const settings = readSettings(configuration)
      return { policy: settings && new ImagePolicy(settings, names.reviewVersion, vendor, given) }
    },
  },
  {
    token: imagePolicy,
    needs: needsConfigured,
    create({ configured }: Resolved<typeof needsConfigured>) {
      if (configured.policy) return configured.policy
      throw new Error(`${controlName} is enabled but --admission-control-config-file does not configure it`)
    },
  },
]

/** An invalid client config file fails the boot instead of every Pod. */
export const checkBackend = defineStartTask({
  name: 'image policy',
  needs: needsConfigured,
  async run({ configured: { policy } }) {
    await policy?.connect()
    return async () => policy?.close()
  },
})
