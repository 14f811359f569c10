const VERSION = /^\/v\d+[a-z0-9]*(?=\/)/;

/**
 * The path of a request: that of the provider's base URL, with the codec's behind it. Where both name the same version
 * (`…/v1` and `/v1/messages`), it stands once, so that a base URL may end with it or before it.
 */
export function joinPath(basePath: string, path: string): string {
  const version = VERSION.exec(path)?.[0];
  return version !== undefined && basePath.endsWith(version)
    ? `${basePath}${path.slice(version.length)}`
    : basePath + path;
}
