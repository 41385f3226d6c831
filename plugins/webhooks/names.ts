import type { Vendor } from 'orch/sdk'

/** Every vendor-derived name of this plugin. */
export const webhookNames = (vendor: Vendor) => {
  const webhookKeys = `webhook.${vendor.group('admission')}`
  return {
    /** The group of the configurations. */
    group: vendor.group('admissionregistration'),
    level: vendor.level,
    /** The group of AdmissionReview. */
    reviewGroup: vendor.group('admission'),
    /** The accepted kinds of the object in the admission configuration file with the credentials for webhooks. */
    settingsKinds: [
      `${vendor.group('apiserver.config')}/v1 WebhookAdmissionConfiguration`,
      `${vendor.group('apiserver.config')}/v1alpha1 WebhookAdmission`,
      `${vendor.group('apiserver')}/v1alpha1 WebhookAdmissionConfiguration`,
    ],
    userAgent: `${vendor.profile.objectPrefix}-apiserver-admission`,
    /** Audit annotations: which webhook was called in which round, what it changed, and which failures were ignored. */
    mutationAnnotation: `mutation.${webhookKeys}`,
    patchAnnotation: `patch.${webhookKeys}`,
    failedOpenAnnotation: {
      mutate: `failed-open.mutation.${webhookKeys}`,
      validate: `failed-open.validating.${webhookKeys}`,
    },
  }
}
export type WebhookNames = ReturnType<typeof webhookNames>
