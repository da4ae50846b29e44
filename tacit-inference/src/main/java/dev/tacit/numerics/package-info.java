/** Linear algebra, special functions and random streams for models; nothing here knows about records or privacy. */
package dev.tacit.numerics;
