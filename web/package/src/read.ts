/** The bytes at an address: where there is `fetch`. */
export async function read(from: URL): Promise<ArrayBuffer> {
  const response = await fetch(from);
  if (!response.ok) throw new Error(`${from} answers ${response.status}`);
  return response.arrayBuffer();
}
