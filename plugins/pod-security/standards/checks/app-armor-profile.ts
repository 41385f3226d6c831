import { type Check, namesOf, nounOf, nounWithNames } from '../check.js'

/** AppArmor is not turned off. */
export const appArmorProfile: Check = {
  id: 'appArmorProfile',
  level: 'baseline',
  versions: [
    {
      since: 0,
      find(pod, { appArmorContainer }) {
        const { metadata, spec } = pod
        const isAllowed = (profile: string) =>
          profile === '' || profile === 'runtime/default' || profile.startsWith('localhost/')
        const forbidden = Object.entries(metadata?.annotations ?? {})
          .filter(([key, profile]) => key.startsWith(appArmorContainer) && !isAllowed(profile))
          .map(([key, profile]) => `${key}=${JSON.stringify(profile)}`)
          .sort()
        if (spec.securityContext?.appArmorProfile?.type === 'Unconfined')
          forbidden.unshift('pod must not be Unconfined')
        const unconfined = namesOf(
          pod,
          ({ securityContext }) => securityContext?.appArmorProfile?.type === 'Unconfined',
        )
        if (unconfined.length > 0) forbidden.push(`${nounWithNames('container', unconfined)} must not be Unconfined`)
        if (forbidden.length === 0) return undefined
        return { reason: nounOf('forbidden AppArmor profile', forbidden.length), detail: forbidden.join(', ') }
      },
    },
  ],
}
