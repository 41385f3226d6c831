import { type Check, nounOf } from '../check.js'

/** AppArmor is not turned off. */
export const appArmorProfile: Check = {
  id: 'appArmorProfile',
  level: 'baseline',
  versions: [
    {
      since: 0,
      find({ metadata }, { appArmorContainer }) {
        const isAllowed = (profile: string) =>
          profile === '' || profile === 'runtime/default' || profile.startsWith('localhost/')
        const forbidden = Object.entries(metadata?.annotations ?? {})
          .filter(([key, profile]) => key.startsWith(appArmorContainer) && !isAllowed(profile))
          .map(([key, profile]) => `${key}=${JSON.stringify(profile)}`)
          .sort()
        if (forbidden.length === 0) return undefined
        return { reason: nounOf('forbidden AppArmor profile', forbidden.length), detail: forbidden.join(', ') }
      },
    },
  ],
}
