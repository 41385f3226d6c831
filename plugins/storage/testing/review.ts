import type { AdmissionDefinition, AdmissionRequest, Rejection, StoreReader } from 'orch/sdk'

/** A store that returns these objects for any type. */
export const storeOf = (...objects: { metadata?: { name?: string } }[]): StoreReader => ({
  get: async <T>(_: unknown, __: string, name: string) =>
    objects.find(({ metadata }) => metadata?.name === name) as T | undefined,
  list: async <T>() => objects as T[],
})

/** The message of a rejected request; undefined when the control accepts it. */
export async function reviewWith<T>(
  // biome-ignore lint/suspicious/noExplicitAny: controls with different needs are tried here
  control: AdmissionDefinition<T, any>,
  request: Partial<AdmissionRequest<T>>,
  services: object = {},
): Promise<string | undefined> {
  const verdict = await control.review(request as AdmissionRequest<T>, services as never, 'mutate')
  return (verdict as Rejection | undefined)?.message
}
